/** Tables of the store: their statements, rows and texts. */
@NullMarked
package dev.chargehand.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
