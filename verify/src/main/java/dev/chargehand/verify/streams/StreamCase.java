package dev.chargehand.verify.streams;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of one answer, and what is known of what they say.
 *
 * @param bytes the body
 * @param mediaType the type its head says
 * @param breaks whether the connection breaks after the last byte, instead of being closed in order
 * @param meant what was to be said; null if the bytes were damaged otherwise than by being cut
 * @param cut whether bytes are missing at the end
 * @param finished whether the finish reason is among the bytes; says nothing if {@code meant} is null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and written by nobody
record StreamCase(
        byte[] bytes,
        String mediaType,
        boolean breaks,
        @Nullable Meant meant,
        boolean cut,
        boolean finished) {}
