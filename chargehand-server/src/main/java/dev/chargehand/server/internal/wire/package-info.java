/** What the wires share: protocols of existing clients, each a set of routes and encoders of events. */
@NullMarked
package dev.chargehand.server.internal.wire;

import org.jspecify.annotations.NullMarked;
