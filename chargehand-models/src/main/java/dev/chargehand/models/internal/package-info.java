/** How chat completions go over the wire; nothing here is for users. */
@NullMarked
package dev.chargehand.models.internal;

import org.jspecify.annotations.NullMarked;
