"""Shared by adapters: rendering of pages, help and errors of the command line, servers, reconnecting."""
