/** What users send in their messages: texts and images. */
@NullMarked
package dev.chargehand.server.internal.wire.content;

import org.jspecify.annotations.NullMarked;
