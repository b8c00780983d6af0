"""Runs the program ``sobremesa`` as ``python -m adapters``."""

from adapters.cli import main

main()
