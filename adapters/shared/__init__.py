"""What adapters share: two renderings of pages, order of deliveries, patience, reconnecting, the clock."""
