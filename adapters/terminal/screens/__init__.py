"""The screens of the terminal but for that of a table, one module each; `base` has what all share."""
