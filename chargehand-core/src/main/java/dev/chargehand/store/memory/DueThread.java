package dev.chargehand.store.memory;

import dev.chargehand.thread.ThreadOwner;

/**
 * A thread with memory work to do.
 *
 * @param id its number in the store, from 1, which orders due threads
 * @param tenantId the tenant
 * @param threadId the thread
 * @param owner whom it belongs to
 * @param agentPath the path of the agent whose memory it is, from the root agent
 */
public record DueThread(long id, String tenantId, String threadId, ThreadOwner owner, String agentPath) {}
