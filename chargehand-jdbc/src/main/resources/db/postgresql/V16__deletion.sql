-- To forget a resource: the threads of sub-agents, which no list needs, and the working memory of its agents.
CREATE INDEX threads_of_agents ON threads (tenant_id, left(resource_id, 500)) WHERE agent_path IS NOT NULL;
CREATE INDEX memory_scopes_of_resources ON memory_scopes (tenant_id, left(resource_id, 500));
