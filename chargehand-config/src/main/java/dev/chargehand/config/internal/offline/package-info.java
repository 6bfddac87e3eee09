/** A rule-based stand-in for a model, so that the command shows its work without any key. */
@NullMarked
package dev.chargehand.config.internal.offline;

import org.jspecify.annotations.NullMarked;
