/** Copies of threads in which a client continues from an earlier answer. */
@NullMarked
package dev.chargehand.server.internal.wire.branch;

import org.jspecify.annotations.NullMarked;
