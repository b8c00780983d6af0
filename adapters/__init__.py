"""Where people meet the tables: one folder a platform, and the command line that starts them."""
