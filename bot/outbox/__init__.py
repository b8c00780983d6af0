"""Outbox: public and private panels and turn alerts, sent at the pace that each platform allows."""
