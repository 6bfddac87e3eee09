/** The store in a SQL database. */
@NullMarked
package dev.chargehand.jdbc;

import org.jspecify.annotations.NullMarked;
