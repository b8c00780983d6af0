"""Shared by adapters: two renderings of pages, order and late acknowledgement of deliveries, reconnecting."""
