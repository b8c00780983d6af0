"""The screen of a table. Its class is made in steps, each a module that inherits the one before:

`view` shows, `play` makes moves, `cards` lets cards be picked, `lines` reads typed lines, `table` adds keys.
"""
