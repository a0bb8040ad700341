"""Everything between a game and the world: sessions, pictures, servers, agents, records and the commands."""
