/** Queues of calls to a database, and the threads that execute them. */
@NullMarked
package dev.chargehand.jdbc.internal.call;

import org.jspecify.annotations.NullMarked;
