"""The parameters of the commands: their declarations, and the checks of what is given for them."""
