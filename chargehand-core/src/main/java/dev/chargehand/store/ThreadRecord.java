package dev.chargehand.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A thread as a store lists it.
 *
 * @param threadId its id
 * @param owner whom it belongs to
 * @param parentRunId the run whose delegation made it, or null for a conversation
 * @param parentCallId the call of that run, or null
 * @param length the number of messages ever appended
 * @param createdAt when its first message was appended
 */
public record ThreadRecord(
        String threadId,
        ThreadOwner owner,
        @Nullable String parentRunId,
        @Nullable String parentCallId,
        long length,
        Instant createdAt) {}
