/** What a run reports while it continues: one sealed, ordered stream of events. */
@NullMarked
package dev.chargehand.event;

import org.jspecify.annotations.NullMarked;
