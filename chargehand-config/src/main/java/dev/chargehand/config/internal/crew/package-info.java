/** Builds the agents of a file with their models, tools and documents. */
@NullMarked
package dev.chargehand.config.internal.crew;

import org.jspecify.annotations.NullMarked;
