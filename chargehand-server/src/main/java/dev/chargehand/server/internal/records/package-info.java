/** The routes that read and change what is stored in addition to runs: background tasks, facts, memory, versions and numbers. */
@NullMarked
package dev.chargehand.server.internal.records;

import org.jspecify.annotations.NullMarked;
