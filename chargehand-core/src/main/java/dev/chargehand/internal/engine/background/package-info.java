/** Stored background tasks, as callers see them. */
@NullMarked
package dev.chargehand.internal.engine.background;

import org.jspecify.annotations.NullMarked;
