/** Logs, errors and secrets: what leaves the framework as text. */
@NullMarked
package dev.chargehand.internal.log;

import org.jspecify.annotations.NullMarked;
