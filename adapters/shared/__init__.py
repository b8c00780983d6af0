"""Shared by the platforms, the command line and hosting: settings, findings, rendering of pages, network."""
