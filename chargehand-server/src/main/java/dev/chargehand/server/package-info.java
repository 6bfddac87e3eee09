/** A server that makes the agents of a runtime reachable over HTTP. */
@NullMarked
package dev.chargehand.server;

import org.jspecify.annotations.NullMarked;
