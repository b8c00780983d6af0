"""The platforms, one folder each, and the command line that starts them."""
