/** What libraries have to reach and nobody else should. */
@NullMarked
package dev.chargehand.jdbc.internal;

import org.jspecify.annotations.NullMarked;
