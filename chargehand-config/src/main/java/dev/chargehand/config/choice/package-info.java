/** The choices that a crew makes by default, and the options by which a program makes others. */
@NullMarked
package dev.chargehand.config.choice;

import org.jspecify.annotations.NullMarked;
