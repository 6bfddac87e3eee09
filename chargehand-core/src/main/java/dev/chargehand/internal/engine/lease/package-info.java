/** Which runtime owns a run, and whether that owner is alive. */
@NullMarked
package dev.chargehand.internal.engine.lease;

import org.jspecify.annotations.NullMarked;
