/** What a run tells while it goes on: one sealed, ordered stream of events. */
@NullMarked
package dev.chargehand.event;

import org.jspecify.annotations.NullMarked;
