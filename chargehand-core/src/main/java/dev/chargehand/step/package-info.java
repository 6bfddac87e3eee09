/** The steps of a run, as hooks and results show them, and what hooks may decide about them. */
@NullMarked
package dev.chargehand.step;

import org.jspecify.annotations.NullMarked;
