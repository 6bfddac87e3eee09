/** Background tasks of a runtime: how many are executed at once, and lists of them. */
@NullMarked
package dev.chargehand.internal.engine.task;

import org.jspecify.annotations.NullMarked;
