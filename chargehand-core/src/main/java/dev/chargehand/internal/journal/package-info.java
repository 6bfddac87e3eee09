/** The one writer of a run's facts. */
@NullMarked
package dev.chargehand.internal.journal;

import org.jspecify.annotations.NullMarked;
