"""The offsets in the table of a call on a GPU: the contract between `cuda.native.native_call` and the program `issue`.

The table is a row of 64-bit words, positions count words from its start. All that a call writes is in it too: the GIL
is held from the first check to the last launch, and no Python code runs meanwhile.
"""

# -- header: one word each ---------------------------------------------------------------------------------------------
ISSUE_ARGUMENTS = 0  # how many: those of the call, the address of the stream's words, and those of fresh memory
ISSUE_FRESH = 1  # how many of the last there are
ISSUE_FRESH_WORD = 2  # frame word of the first one
ISSUE_INPUTS = 3  # position of the record of the first argument
ISSUE_OWNERS = 4  # position: of each array reached from an owner its path and its record; then the paths of checks
ISSUE_OWNER_COUNT = 5
ISSUE_CHECK_COUNT = 6
ISSUE_WATCHED = 7  # position of the frame words of watched slots, which are 0 where one does not fit
ISSUE_WATCHED_COUNT = 8
ISSUE_MOVES = 9  # address of the count of moves
ISSUE_SEEN = 10  # that count when all watched slots were looked at last
ISSUE_FRAME = 11  # position of the frame: an address for each slot
ISSUE_EXTENTS = 12  # position of the arrays that may not meet one that is written; calls keep them sorted
ISSUE_EXTENT_COUNT = 13
ISSUE_APART = 14  # whether they were found apart where they are now
ISSUE_PATCHES = 15  # position of the addresses that go into parameters: PATCH_WORDS each
ISSUE_PATCH_COUNT = 16  # of these, those in the argument block come first
ISSUE_BLOCK = 17  # position of the words of the argument block: scalars, and rows of tables
ISSUE_SENT = 18  # position of these words as the device has them
ISSUE_IS_SENT = 19  # whether it has all of them as they are
ISSUE_PUTS = 20  # position of the launches that put them there, BLOCK_WORDS each
ISSUE_PUT_COUNT = 21
ISSUE_LAUNCHES = 22  # position of the launches
ISSUE_LAUNCH_COUNT = 23
ISSUE_FUNCTION = 24  # address of the driver's function that launches
ISSUE_STATUS = 25  # what the builtin answers where a launch failed; else 0
ISSUE_RESULT = 26  # what a call gives: one of ISSUE_RESULT_*
ISSUE_REFUSED = 27  # the object for arguments that are not what the plan was made for
ISSUE_ASK = 28  # the object for what Python decides; nothing was launched
ISSUE_SERVED = 29  # calls that were launched
ISSUE_ARRAY_TYPE = 30  # the class of arrays on devices, then the offsets of its slots
ISSUE_ADDRESS = 31
ISSUE_SHAPE = 32
ISSUE_STRIDES = 33
ISSUE_DTYPE = 34
ISSUE_WRITEABLE = 35
ISSUE_TUPLE_TYPE = 36
ISSUE_INT_TYPE = 37
ISSUE_TRUE = 38
ISSUE_BLOCK_PATCHES = 39  # how many of the patches are in the argument block
ISSUE_NONE = 40
ISSUE_RESULTS = 41  # position of the records of fresh results
ISSUE_RESULT_COUNT = 42
ISSUE_MEMORY_TYPE = 43  # the class of memory on devices; then what one of its slots holds, and where slots are
ISSUE_MEMORY_COPIES = 44
ISSUE_MEMORY_ADDRESS_SLOT = 45
ISSUE_MEMORY_NBYTES_SLOT = 46
ISSUE_MEMORY_COPIES_SLOT = 47
ISSUE_MEMORY_FREE_SLOT = 48
ISSUE_ARRAY_MEMORY_SLOT = 49
ISSUE_ARRAY_BASE_SLOT = 50
ISSUE_ARENA_NBYTES = 51  # bytes that intermediates take
ISSUE_ARENA_WORD = 52  # frame word of the address of the stream's arena
ISSUE_BUILDS = 53  # whether a graph of the launches is to be made, which Python is asked for at the second call
ISSUE_GRAPH = 54  # the driver's graph of the launches; 0 without
ISSUE_GRAPH_LAUNCH = 55  # addresses of the driver's functions that launch it, and set the parameters of a node
ISSUE_GRAPH_SET = 56
ISSUE_MOVED = 57  # launches whose parameters are others than at the call before
ISSUE_MOST_MOVED = 58  # how many of these there may be in a call that the graph makes
ISSUE_STALE = 59  # launches whose parameters the graph does not have
ISSUE_GRAPH_CALLS = 60  # calls that the graph made
ISSUE_HEADER_WORDS = 61

ISSUE_RESULT_NONE, ISSUE_RESULT_BARE, ISSUE_RESULT_TUPLE = 0, 1, 2

BLOCK_WORDS = 128  # of them go with one launch: enough for the rows of a table of some twenty arrays

# -- records of arguments ----------------------------------------------------------------------------------------------
GIVEN_TAG = 0
GIVEN_LENGTH = 1
GIVEN_TYPE = 2  # the exact type of the argument
GIVEN_PLACE = 3  # of a scalar: position of its word in the argument block
GIVEN_OBJECT = 3  # of an object: itself
GIVEN_PATH = 3  # of an array: the path that leads to it, then what is asked of it
GIVEN_ARRAY, GIVEN_FLOAT, GIVEN_INT, GIVEN_BOOL, GIVEN_SCALAR, GIVEN_IDENTITY = 0, 1, 2, 3, 4, 5

# -- what is asked of an array -----------------------------------------------------------------------------------------
ASKED_WORD = 0  # frame word that receives its address
ASKED_SHAPE = 1  # the objects that its slots hold, or others equal to them
ASKED_STRIDES = 2
ASKED_DTYPE = 3
ASKED_ALIGNED = 4  # the bits of its address that are 0
ASKED_WRITEABLE = 5  # whether its slot has to hold True
ASKED_WORDS = 6

# -- extents: frame word, first byte and the byte behind the last from there, whether it is written --------------------
EXTENT_WORD, EXTENT_LOW, EXTENT_HIGH, EXTENT_WRITTEN, EXTENT_WORDS = 0, 1, 2, 3, 4

# -- parameters that are addresses: position, frame word, bytes to add, position of the launch, or 0 -------------------
PATCH_PLACE, PATCH_WORD, PATCH_OFFSET, PATCH_LAUNCH, PATCH_WORDS = 0, 1, 2, 3, 4

# -- launches: the driver's CUDA_KERNEL_NODE_PARAMS, and what we know of it --------------------------------------------
LAUNCH_KERNEL = 0
LAUNCH_SIZES = 1  # of the grid, then of a block, then the bytes of shared memory: seven ints of 32 bits
LAUNCH_PARAMETERS = 5  # address of the addresses of its parameters
LAUNCH_NODE = 9  # the node of the graph
LAUNCH_MOVED = 10  # number of the call from which on the node does not have these parameters; 0 where it has them
LAUNCH_WORDS = 11

# -- words of a stream -------------------------------------------------------------------------------------------------
STREAM_HANDLE = 0
STREAM_ARENA = 1  # address of the memory for intermediates of calls on the stream
STREAM_ARENA_NBYTES = 2
STREAM_WORDS = 3

# -- fresh results: the objects that the slots of the array and of its memory hold -------------------------------------
RESULT_NBYTES, RESULT_SHAPE, RESULT_STRIDES, RESULT_DTYPE, RESULT_FREE, RESULT_WORDS = 0, 1, 2, 3, 4, 5
