"""Models behind an API as agents: one file a vendor, one for how all of them are spoken to, one that plays."""
