"""Outbox: public and private panels and turn reminders, sent at the pace that each platform allows."""
