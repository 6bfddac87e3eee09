/** The rules that every store keeps for copies of threads. */
@NullMarked
package dev.chargehand.testkit.store.copy;

import org.jspecify.annotations.NullMarked;
