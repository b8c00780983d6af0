"""What adapters share: renderings of pages, network failures and the clock; knows no platform."""
