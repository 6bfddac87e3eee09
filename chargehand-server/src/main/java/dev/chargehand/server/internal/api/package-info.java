/** The server's own API: agents, runs, events, approvals and threads under {@code /api/v1}. */
@NullMarked
package dev.chargehand.server.internal.api;

import org.jspecify.annotations.NullMarked;
