/** Clients of servers that may be killed at any moment. */
@NullMarked
package dev.chargehand.verify.server.client;

import org.jspecify.annotations.NullMarked;
