"""The offsets in a plan's table and in a call's frame: the contract between `encode_plan` and `runner`.

Both are rows of 64-bit words. The *table* is the plan as data and is only read, but for the head of the list of free
frames, where calls found arrays apart, and that one came through, all under the GIL. A *frame* holds all that one call
writes.
"""

# -- table header: one word each ---------------------------------------------------------------------------------------
ARGUMENT_COUNT = 0
ERRSTATE_ACCEPTED = 1  # address of the words STATE_* of the accepted NumPy error states, or 0: do not look
ERRSTATE_VARIABLE = 2  # NumPy's context variable
GUARD_FAILED = 3  # NotImplemented
SIDE_EXIT = 4  # Ellipsis
NOTHING = 5  # None
ARRAY_TYPE = 6  # numpy.ndarray
FRAME_BYTES = 7
FREE_FRAMES = 8  # head of a list linked through word 0 of each free frame: the plan's own
RELEASE_GIL = 9
RESULT = 10  # one of RESULT_*
OPERANDS = 11  # frame word where the addresses for a kernel are laid out
INPUT_RECORDS = 12  # position of the first record
DISJOINT_RECORDS = 13
DISJOINT_COUNT = 14
OUTPUT_RECORDS = 15
OUTPUT_COUNT = 16
STEP_RECORDS = 17
STEP_COUNT = 18
LIFTED_RECORDS = 19  # the memory of lifted inputs: intervals (first byte, byte after the last), sorted, apart
LIFTED_COUNT = 20
WRITTEN_RECORDS = 21  # the same of those that are written
WRITTEN_COUNT = 22
OWNER_RECORDS = 23  # of each array reached from an owner: its path, then its record; then the paths of checks
OWNER_COUNT = 24
CHECK_COUNT = 25
REACHED_WORD = 26  # frame words of the arrays that access paths reach, one after the other
REACHED_COUNT = 27
PLACED_RECORDS = 28  # of arrays in many pairs: (frame word, address where last found apart); calls write to it
PLACED_COUNT = 29
PLACED_KEPT = 30  # whether calls remember that they found all arrays apart
WATCHED = 31  # address of the table of watched slots; 0: there is none
SERVED = 32  # calls that passed every check, side exits left out; calls write to it
FRAME_LIST = 33  # address of the head of the list that frames are taken from: the plan's own, or that of large ones
TEAM = 34  # address of the words of the team of threads; 0: no step is shared out
SIZED = 35  # how many words the plan itself has, where sizes are worked out at each call; what for follows them
RESULT_MEMORY = 36  # address of the words of the memory of large results; 0: every array has memory of its own
HEADER_WORDS = 37

# -- the words of the accepted error states ----------------------------------------------------------------------------
STATE_OBJECT = 0  # the one that was accepted last
STATE_BITS = (
    1  # those of an error mask of which one is set where NumPy raises, calls, prints or logs; 0: not to be read
)
STATE_TYPE = 2  # the type of the objects whose masks can be read
CAPSULE_POINTER = 2  # the word of such an object that holds the address of its mask

# -- the table of watched slots: further header words. Its lifted memory and its owners' records are laid out as a
# plan's ------
WATCHED_COUNT = 37  # arrays first, then checks
WATCHED_PLACES = 38  # position of what is known of each watched slot, WATCHED_WORDS apart
WATCHED_STARTS = 39  # position of the position of each watched slot's path
WATCHED_MISFITS = 40  # how many watched slots do not lead to what the plan asks for
WATCHED_MOVED = 41  # whether an array is elsewhere since calls found all apart
WATCHED_CALLS = 42  # calls that are running
WATCHED_WAITING = 43  # arrays that running calls may still read: a list of (next, array)
WATCHED_SEEN = 44  # the count of moves when all watched slots were looked at last
WATCHED_MOVES = 45  # address of that count
WATCHED_HEADER_WORDS = 46

PLACE_ADDRESS = 0  # of the array's elements
PLACE_ARRAY = 1  # the array, held; 0: none
PLACE_FITS = 2  # 1, or 0
WATCHED_WORDS = 3

RESULT_NONE, RESULT_BARE, RESULT_TUPLE = 0, 1, 2

# -- every record of an input, output or step starts with these --------------------------------------------------------
TAG = 0
LENGTH = 1  # in words, to the next record

# -- inputs ------------------------------------------------------------------------------------------------------------
INPUT_TYPE = 2  # the exact type of the argument
INPUT_WORD = 3  # frame word that receives the data address, or the value of a scalar
INPUT_DESCRIPTOR = 4  # of an array: the usual descriptor, tried first
INPUT_TYPE_NUMBER = 5
INPUT_BYTE_ORDER = 6
INPUT_FLAGS_SET = 7
INPUT_FLAGS_CLEAR = 8
INPUT_RANK = 9
INPUT_APART = 10  # the lifted memory that it must not overlap: one of APART_*
INPUT_LOW = 11  # the bytes of an array's elements, from its data address
INPUT_HIGH = 12
INPUT_GAP_LOW = 13  # written by calls: the last gap between lifted memory where the array was found to lie
INPUT_GAP_HIGH = 14
INPUT_DIMENSIONS = 15  # pairs (size, stride)
INPUT_TRUE = 4  # of a bool: the object True
INPUT_OBJECT = 4  # of an object: the object
INPUT_PATH = 4  # of an argument that leads to an array: its path, then the array's record

INPUT_ARRAY, INPUT_FLOAT, INPUT_INT, INPUT_BOOL, INPUT_NUMPY_SCALAR, INPUT_IDENTITY, INPUT_CHASED = 0, 1, 2, 3, 4, 5, 6
ANY_STRIDE = -(1 << 62)
APART_NONE, APART_WRITTEN, APART_ALL = 0, 1, 2
ADDRESSES = 1 << 62  # beyond every address

# -- what is worked out at each call, behind the words of a plan whose sizes are free --------------------------------
SIZED_RUNNER = 0  # address of the runner
SIZED_NUMBERS = 1  # how many arguments, the last ones, are ints that are sizes, and which the plan does not get
SIZED_SYMBOLS = 2  # how many numbers, the first atoms, are read from arguments: their records come first
SIZED_ATOMS = 3  # how many atoms there are: what is made of earlier ones comes next: operation, sum, sum
SIZED_FACTS = 4  # how many facts follow: least value, greatest value, how many others and these, sum
SIZED_WORDS = 5  # how many words of the plan follow: position, sum
SIZED_CELLS = 6  # how many numbers follow that the plan reads from its own table: position, one of CELL_*, sum
SIZED_INT = 7  # the type of ints
SIZED_ARRAY = 8  # the type of arrays
SIZED_LARGEST = 9  # the greatest atom of which no sum is beyond a word
SIZED_FIRST = 10  # a sum is a number, a count of terms, and for each its factor and its atom

SYMBOL_ARGUMENT = 0  # -1: the symbol is the address of the table
SYMBOL_AXIS = 1  # of an array; -1: the argument is an int
SYMBOL_RANK = 2
SYMBOL_TYPE = 3  # of the tensor whose array it is; 0: the argument is an array
SYMBOL_SLOT = 4  # of the array in that tensor, in bytes
SYMBOL_UNIT = 5  # 0: it is the size; else it is the stride in units of so many bytes
SYMBOL_WORDS = 6

ATOM_QUOTIENT, ATOM_REMAINDER, ATOM_PRODUCT = 0, 1, 2
CELL_F64, CELL_F32, CELL_I64 = 0, 1, 2
UNBOUNDED = 1 << 62
MOST_ATOMS = 512
COPY_BYTES = 12288  # plans up to this size are copied to the native stack

# -- paths through the slots of objects --------------------------------------------------------------------------------
PATH_LENGTH = 0  # in words
PATH_OWNER = 1  # a weak reference to the object where it starts; 0: at the argument
PATH_REACHED = 2  # frame word that receives the array; unused by checks
PATH_LINKS = 3  # how many
PATH_FIRST = 4  # links: type, slot, how many slots must hold what, and pairs (slot, object); slots in bytes
LINK_TYPE, LINK_SLOT, LINK_SAME, LINK_PAIRS = 0, 1, 2, 3
PAIR_UNLIKE = 1  # added to the slot of a pair: what it holds is not of the type that is the pair's second word

# -- pairs of inputs that must not overlap: word, low, high byte of each -----------------------------------------------
DISJOINT_WORDS = 6

# -- outputs -----------------------------------------------------------------------------------------------------------
OUTPUT_OBJECT = 2  # frame word that holds the object until it is returned
OUTPUT_WORD = 3  # frame word: of a fresh array its address, of a view its base's address
OUTPUT_DESCRIPTOR = 4  # of a view: 0 means the base's own
OUTPUT_RANK = 5
OUTPUT_STRIDED = 6  # 0: let NumPy lay the array out
OUTPUT_BASE_ARGUMENT = 6  # of a view: index of the argument, or -1
OUTPUT_ITEM_BYTES = 7  # of a fresh array, where it may get memory that is kept for large results; else 0
OUTPUT_BASE_OBJECT = 7  # of a view: frame word of a fresh array that is its base
OUTPUT_OFFSET = 8  # of a view, in bytes; of a scalar, the place in the frame in bytes
OUTPUT_SHAPE = 9  # sizes, then strides
OUTPUT_ARGUMENT = 3  # of an input given back

OUTPUT_FRESH, OUTPUT_SCALAR, OUTPUT_VIEW, OUTPUT_INPUT = 0, 1, 2, 3

# -- steps -------------------------------------------------------------------------------------------------------------
STEP_ADDRESS = 2  # of the native function
KERNEL_EXTENT = 3
KERNEL_OPERAND_COUNT = 4
KERNEL_CHUNK = 5  # the least part of the range; 0: the kernel is not shared out
KERNEL_TURNS = 6  # of how many shares for each thread a chunk is one; 1: a thread takes one chunk
KERNEL_ASKS = 7  # whether it asks from time to time if it is to end early
KERNEL_WAKES = 8  # whether helpers that sleep are woken for it
KERNEL_OPERANDS = 9  # pairs (frame word, bytes to add), then the sizes

TABLE_ROWS = 3
TABLE_OPERAND_COUNT = 4
TABLE_SIZES = 5  # how many; they follow, then the rows: extent, then pairs (frame word, bytes to add)
TABLE_CHUNKS = 6  # the least ones; 0: the table is not shared out. Behind the rows (row, element) of each, and the end
TABLE_TURNS = 7
TABLE_WAKES = 8
TABLE_FIRST = 9

LOOP_COUNTER = 2  # frame word of the rounds that are left
LOOP_TRIPS = 3
LOOP_STARTS = 4  # how many; they follow: frame word, then (frame word, bytes to add) of where it begins
LOOP_FIRST_START = 5
LOOP_BACK = 3  # of the end: words from the round's first step
LOOP_FIRST_STEP = 4  # its number among the steps
LOOP_MOVES = 5  # how many pairs (frame word, bytes), which follow; then
LOOP_TURNS = 6  # how many triples of frame words
LOOP_FIRST_MOVE = 7

JUMP_WORDS = 2  # to the step that it leads to, from its own record
JUMP_OVER = 3  # how many steps that is, besides its own
JUMP_ASKS = 4  # 1: only where the bool at (frame word, bytes to add) is false
JUMP_TEST = 5

GEMM_M, GEMM_N, GEMM_K = 3, 4, 5
GEMM_LEFT = 6  # operands are (frame word, bytes to add, leading dimension, batch stride, cblas transpose)
GEMM_RIGHT = 11
GEMM_RESULT = 16
GEMM_BATCH = 21
GEMM_WORDS = 22
OPERAND_WORD, OPERAND_OFFSET, OPERAND_LEADING, OPERAND_BATCH_STRIDE, OPERAND_TRANSPOSE = 0, 1, 2, 3, 4

# Of a product with a vector, LEFT is the matrix, and M and N are its rows and columns as stored; RIGHT and RESULT are
# vectors, with the distance of their elements as leading dimension.

STEP_KERNEL, STEP_SGEMM_64, STEP_DGEMM_64, STEP_SGEMM_32, STEP_DGEMM_32, STEP_TABLE = 0, 1, 2, 3, 4, 5
STEP_SGEMV_64, STEP_DGEMV_64, STEP_SGEMV_32, STEP_DGEMV_32 = 6, 7, 8, 9
STEP_LOOP_BEGIN, STEP_LOOP_END = 10, 11
STEP_JUMP = 12
STEP_CALL_OUT = 13  # laid out as a kernel, of which a Python object has the place
ROW_MAJOR, NO_TRANSPOSE, TRANSPOSE = 101, 111, 112  # cblas enumerations

# -- a team of threads, see `runner.team` ------------------------------------------------------------------------------
TEAM_SELF = 0  # the team's own address
TEAM_THREADS = 1  # how many run a step that is shared out; 1: who calls runs all by itself
TEAM_TICKET = 2  # how many jobs there have been
TEAM_SLEEPERS = 3
TEAM_DOOR = 8  # how many helpers are inside, plus DOOR_OPEN while more may come
TEAM_SEMAPHORE = 16  # of the C library, where helpers sleep
# What the caller alone writes lies apart from the ticket, at which helpers look all the time.
TEAM_TAKEN = 24  # 1 while somebody's job is with the team
TEAM_JOB = 25  # address of that job
TEAM_ROOM = 26  # what is in the place of the door once no more helpers may come in
TEAM_UNHEARD = 27  # jobs for which a helper that sleeps would have been of use, but was not woken
TEAM_WORDS = 32
DOOR_OPEN = 1 << 32

JOB_NEXT = 0  # where the chunk begins that nobody has taken yet
JOB_STATUS = 1  # of all chunks together
JOB_CHUNKS = 2  # at most
JOB_KERNEL = 3
JOB_SIZES = 4
JOB_ADDRESSES = 5  # of a kernel
JOB_EXTENT = 6  # of a kernel; of a table, how many of the least chunks there are
JOB_CHUNK = 7  # the least, of which all others are multiples
JOB_ROWS = 8  # of a table: address of the rows; 0: it is a kernel
JOB_OPERANDS = 9
JOB_STARTS = 10
JOB_FRAME = 11
JOB_WATCHED = 12
JOB_ASKS = 13  # whether its chunks are to end early once the status is not 0
JOB_WAKES = 14  # whether helpers that sleep are woken for it
JOB_SHARES = 15  # of how many shares of what is left a chunk is one
JOB_WORDS = 16
SHARED_OPERANDS = 128  # of a table's row, up to which it is shared out: each thread lays out its own

# -- the memory of large results, see `plan.result_memory` -------------------------------------------------------------
MEMORY_LOCK = 0  # 1 while somebody reads or writes what follows
MEMORY_LEAST = 1  # bytes that a block has at least
MEMORY_LIMIT = 2  # bytes that are kept at most
MEMORY_KEPT = 3  # bytes that are
MEMORY_COUNT = 4  # of kept blocks
MEMORY_REUSED = 5  # how many results got a block that was kept
MEMORY_NEW = 6  # how many got a new one
MEMORY_HANDLER = 7  # NumPy's name for who gives memory: the capsule that leads here
MEMORY_DEFAULT = 8  # that of NumPy itself; then its context, how it gives memory, and takes it back
MEMORY_CONTEXT = 9
MEMORY_MALLOC = 10
MEMORY_FREE = 11
MEMORY_BLOCKS = 12  # address and bytes of each, those first that were given back first
MOST_BLOCKS = 32
MEMORY_WORDS = MEMORY_BLOCKS + 2 * MOST_BLOCKS
LARGE_RESULT_BYTES = 1 << 20
MEMORY_SLACK = 8  # a result gets a block that is larger by at most this part of its size

# -- frame -------------------------------------------------------------------------------------------------------------
FRAME_ZERO = 0  # always 0 in a call, so that an absolute address is an offset from it; the link of a free frame
FRAME_SELF = 1  # the frame's own address, so that a place in the frame is an offset from it
FRAME_FIRST = 2
STACK_FRAME_BYTES = 5120  # frames up to this size live on the native stack
SHARED_FRAME_BYTES = 1 << 20  # from this size on they go back to one list for all plans
FRAME_ALIGNMENT = 64

# -- objects, in bytes from their start; checked against live objects when the runner is loaded ------------------------
OBJECT_TYPE = 8
FLOAT_VALUE = 16
ARRAY_DATA, ARRAY_RANK, ARRAY_SHAPE, ARRAY_STRIDES, ARRAY_BASE = 16, 24, 32, 40, 48
ARRAY_DESCRIPTOR, ARRAY_FLAGS = 56, 64
DESCRIPTOR_BYTE_ORDER, DESCRIPTOR_TYPE_NUMBER = 26, 28
WEAK_REFERENCE_OBJECT = 16
DICT_VERSION = 24  # whether it behaves as one, `word_checks` finds out
DICT_VERSION_STEP = 1 << 12  # where our own watcher counts: above the bits that CPython 3.14 and 3.15 use

# -- NumPy's array flags -----------------------------------------------------------------------------------------------
FLAG_ALIGNED = 0x0100
FLAG_WRITEABLE = 0x0400
FLAG_WARN_ON_WRITE = 0x80000000
