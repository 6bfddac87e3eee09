/** Starts root runs and keeps track of those that are live in a runtime. */
@NullMarked
package dev.chargehand.internal.engine;

import org.jspecify.annotations.NullMarked;
