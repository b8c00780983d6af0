"""Where tables, people and places outlive the process: one contract, in memory and in a database.

SQL is known nowhere else.
"""
