/** How facts and deltas become events, and how events reach those who listen. */
@NullMarked
package dev.chargehand.internal.stream;

import org.jspecify.annotations.NullMarked;
