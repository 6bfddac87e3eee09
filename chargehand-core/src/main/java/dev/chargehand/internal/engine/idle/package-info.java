/** Until-idle calls: a run, its background tasks, and the turns that their results start, for one caller. */
@NullMarked
package dev.chargehand.internal.engine.idle;

import org.jspecify.annotations.NullMarked;
