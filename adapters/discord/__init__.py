"""Sobremesa on Discord."""
