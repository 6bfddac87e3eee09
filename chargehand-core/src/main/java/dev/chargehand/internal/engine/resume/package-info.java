/** Resumes stored runs, and accepts decisions on approvals. */
@NullMarked
package dev.chargehand.internal.engine.resume;

import org.jspecify.annotations.NullMarked;
