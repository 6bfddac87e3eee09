/** Damaged streams and damaged facts. */
@NullMarked
package dev.chargehand.verify.streams;

import org.jspecify.annotations.NullMarked;
