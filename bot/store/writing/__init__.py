"""Writes all changes through one connection, each in one transaction with what follows from it."""
