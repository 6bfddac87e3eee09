/** Everything Chargehand throws: one unchecked root with a code and a retry hint, and its subtypes. */
@NullMarked
package dev.chargehand.error;

import org.jspecify.annotations.NullMarked;
