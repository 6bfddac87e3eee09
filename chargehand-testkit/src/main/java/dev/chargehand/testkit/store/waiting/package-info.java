/** The rules that every store keeps for its list of waiting calls. */
@NullMarked
package dev.chargehand.testkit.store.waiting;

import org.jspecify.annotations.NullMarked;
