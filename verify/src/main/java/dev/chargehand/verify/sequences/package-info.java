/**
 * Random sequences of operations, executed in several ways that must not differ: in memory and on a database, by one
 * runtime, by two that take turns, and by one that is closed and opened again.
 */
@NullMarked
package dev.chargehand.verify.sequences;

import org.jspecify.annotations.NullMarked;
