"""What adapters share: renderings of pages, the clock, names of network failures; it knows no platform."""
