"""Runs the program ``sobremesa`` as ``python -m adapters``."""

from adapters.command_line.cli import main

main()
