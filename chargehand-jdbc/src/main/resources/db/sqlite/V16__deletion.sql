-- To forget a resource: the threads of sub-agents, which no list needs.
CREATE INDEX threads_of_agents ON threads (tenant_id, resource_id) WHERE agent_path IS NOT NULL;
